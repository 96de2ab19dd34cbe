#include "libvolpt/volume/source/label_signs.h"
#include "tests/support/expect_error.h"

#include <limits>

namespace volpt {
namespace {

NumberTraits few_integers(std::size_t distinct, std::uint64_t voxels = 100000)
{
    return {voxels, distinct, 0, static_cast<double>(distinct) - 1, true};
}

SourceMeta describe_numbers(ElementType element)
{
    SourceMeta meta;
    meta.element = element;
    return meta;
}

TEST(LabelSigns, FewIntegersThatAreOftenRepeatedLookLikeLabels)
{
    SourceMeta const bytes = describe_numbers(ElementType::u8);
    EXPECT_TRUE(look_like_labels(bytes, few_integers(2)));
    EXPECT_TRUE(look_like_labels(bytes, few_integers(64)));
    EXPECT_FALSE(look_like_labels(bytes, few_integers(65)));
    EXPECT_FALSE(look_like_labels(bytes, few_integers(1)));
    EXPECT_FALSE(look_like_labels(bytes, few_integers(0)));
    EXPECT_FALSE(look_like_labels(bytes, few_integers(10, 639)));
    EXPECT_FALSE(look_like_labels(bytes, {100000, 3, -1, 1, true}));
}

TEST(LabelSigns, MeasuredNumbersColoursAndPicturesDoNot)
{
    EXPECT_FALSE(look_like_labels(describe_numbers(ElementType::f32), few_integers(4)));
    SourceMeta colours = describe_numbers(ElementType::u8), pictures = colours;
    colours.channels = 3;
    pictures.kind = SourceKind::pictures;
    EXPECT_FALSE(look_like_labels(colours, few_integers(4)));
    EXPECT_FALSE(look_like_labels(pictures, few_integers(4)));
}

TEST(LabelSigns, SegmentsOfTheFileAreNamed)
{
    SourceMeta source = describe_numbers(ElementType::i16);
    source.metadata_json = R"({"Segment0_Name:=": "bone", "Segment0_LabelValue:=": "1", "Segment1_Name:=": "skin"})";
    EXPECT_EQ(list_segment_names(source), (std::vector<std::string>{"1 = bone", "skin"}));
    EXPECT_TRUE(look_like_labels(source, few_integers(0)));
    test::expect_contains(advise_materials(source, few_integers(0)), {"1 = bone, skin", "--materials TABLE"});
}

TEST(LabelSigns, RunsAreCountedWhole)
{
    DistinctValues values;
    std::vector<float> const numbers{2, 2, 2, 0, 0, 2};
    add_runs(numbers, values);
    EXPECT_EQ(values.sort(), (std::vector<std::pair<float, std::uint64_t>>{{0, 2}, {2, 4}}));
    NumberTraits const traits = find_integer_traits(values, 6);
    EXPECT_EQ(traits.distinct, 2u);
    EXPECT_EQ(traits.maximum, 2);
}

} // namespace
} // namespace volpt
